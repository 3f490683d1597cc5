"""What a club prints: the program's own deck, a mat for the table, the rules on one page, score sheets, lists.

Each has a Typst template in this folder, which becomes a PDF file of vectors. Its data come as JSON.
"""
