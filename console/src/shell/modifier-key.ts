/** As it is written on the keyboard that the person has. */
export function modifierKey(): 'Ctrl' | '⌘' {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}
