"""What an installed Tarok Table starts with: the whole program in one folder, with its own Python."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # the process that reads a camera is this program again
    from webui.desktop import main

    sys.exit(main())
