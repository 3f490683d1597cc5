"""What a club prints: the program's own deck, a mat for the table, the rules on one page, score sheets.

Each is a Typst template of this folder and becomes a PDF file of vectors; its data lie beside it as JSON.
"""
