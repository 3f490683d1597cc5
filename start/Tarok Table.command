#!/bin/sh
# macOS: double-click it in the Finder. It does what tarok.sh does.
exec "$(dirname "$0")/tarok.sh" "$@"
