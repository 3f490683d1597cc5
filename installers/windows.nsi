; The installer for Windows: for one user, without the administrator's password. Compiled by build.py with
; makensis -DVERSION=0.1.0 -DFOLDER="built/Tarok Table" -DICON=tarok.ico -DOUT=Tarok-Table-0.1.0.exe windows.nsi
Unicode true
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh

Name "Tarok Table"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Tarok Table"
InstallDirRegKey HKCU "Software\Tarok Table" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define GONE "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tarok Table"

!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\Tarok Table.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Danish"
!insertmacro MUI_LANGUAGE "French"
LangString RUNNING ${LANG_ENGLISH} "Tarok Table is running. End it on its page (Menu, End the program), and try again."
LangString RUNNING ${LANG_DANISH} "Tarokbordet kører. Afslut det på siden (Menu, Afslut programmet), og prøv igen."
LangString RUNNING ${LANG_FRENCH} "La table de tarot fonctionne. Quittez-la sur sa page (Menu, Quitter le programme), puis réessayez."
LangString EVENINGS ${LANG_ENGLISH} "Delete the evenings and settings, too? Without a backup nobody can bring them back."
LangString EVENINGS ${LANG_DANISH} "Skal aftenerne og indstillingerne også slettes? Uden en sikkerhedskopi kan ingen få dem igen."
LangString EVENINGS ${LANG_FRENCH} "Supprimer aussi les soirées et les réglages ? Sans sauvegarde, personne ne pourra les rétablir."
LangString EVENING ${LANG_ENGLISH} "Tarok evening"
LangString EVENING ${LANG_DANISH} "Tarokaften"
LangString EVENING ${LANG_FRENCH} "Soirée de tarot"

; A file of a running program can be renamed but not written to.
!macro NOT_RUNNING
  ${If} ${FileExists} "$INSTDIR\Tarok Table.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\Tarok Table.exe" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDOK
      Abort
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

Section
  !insertmacro NOT_RUNNING
  RMDir /r "$INSTDIR\_internal" ; what an older version left
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}\*"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Tarok Table.lnk" "$INSTDIR\Tarok Table.exe"
  CreateShortcut "$DESKTOP\Tarok Table.lnk" "$INSTDIR\Tarok Table.exe"
  WriteRegStr HKCU "Software\Tarok Table" "Folder" "$INSTDIR"
  WriteRegStr HKCU "Software\Classes\.tarok" "" "TarokTable.Evening"
  WriteRegStr HKCU "Software\Classes\TarokTable.Evening" "" "$(EVENING)"
  WriteRegStr HKCU "Software\Classes\TarokTable.Evening\DefaultIcon" "" "$INSTDIR\Tarok Table.exe,0"
  WriteRegStr HKCU "Software\Classes\TarokTable.Evening\shell\open\command" "" '"$INSTDIR\Tarok Table.exe" "%1"'
  WriteRegStr HKCU "${GONE}" "DisplayName" "Tarok Table"
  WriteRegStr HKCU "${GONE}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${GONE}" "DisplayIcon" "$INSTDIR\Tarok Table.exe"
  WriteRegStr HKCU "${GONE}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${GONE}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${GONE}" "NoModify" 1
  WriteRegDWORD HKCU "${GONE}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${GONE}" "EstimatedSize" $0
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)'
SectionEnd

Section Uninstall
  !insertmacro NOT_RUNNING
  Delete "$SMPROGRAMS\Tarok Table.lnk"
  Delete "$DESKTOP\Tarok Table.lnk"
  DeleteRegKey HKCU "Software\Classes\.tarok"
  DeleteRegKey HKCU "Software\Classes\TarokTable.Evening"
  DeleteRegKey HKCU "${GONE}"
  DeleteRegKey HKCU "Software\Tarok Table"
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\Tarok Table.exe"
  Delete "$INSTDIR\tarok.exe"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  MessageBox MB_YESNO|MB_DEFBUTTON2 "$(EVENINGS)" /SD IDNO IDNO +2
  RMDir /r "$LOCALAPPDATA\tarok-table"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)'
SectionEnd
