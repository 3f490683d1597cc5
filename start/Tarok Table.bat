@echo off
rem Windows: double-click it. It starts Tarok Table, and installs it the first time.
cd /d "%~dp0.."
if exist .venv\Scripts\tarok.exe goto start
set made=
if not exist .venv set made=yes
echo Installing Tarok Table; this takes some minutes, once.
py -m venv .venv && .venv\Scripts\pip install --quiet --no-compile -r requirements.lock && .venv\Scripts\pip install --quiet --no-compile --no-deps --no-build-isolation .
if errorlevel 1 (
    echo That did not work. Python 3.11 or newer is needed, and the internet this once.
    if defined made if exist .venv rmdir /s /q .venv
    pause
    exit /b 1
)
:start
.venv\Scripts\tarok.exe %*
if errorlevel 2 pause
