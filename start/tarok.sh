#!/bin/sh
# Starts Tarok Table, and installs it the first time. Double-click it, or "Tarok Table.desktop" beside it.
cd "$(dirname "$0")/.." || exit 1
made=
if [ ! -x .venv/bin/tarok ]; then
    [ -e .venv ] || made=yes
    echo "Installing Tarok Table; this takes some minutes, once."
    if ! { python3 -m venv .venv && .venv/bin/pip install --quiet --no-compile -r requirements.lock \
        && .venv/bin/pip install --quiet --no-compile --no-deps --no-build-isolation .; }; then
        echo "That did not work. Python 3.11 or newer is needed, and the internet this once. Press Enter."
        [ -z "$made" ] || rm -rf .venv
        read -r _
        exit 1
    fi
fi
.venv/bin/tarok "$@"
status=$?
if [ "$status" -eq 2 ]; then
    echo "Press Enter to close this window."
    read -r _
fi
exit "$status"
