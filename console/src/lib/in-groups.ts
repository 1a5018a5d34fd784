/** Groups of four: nobody loses their place in what they type from the screen. */
export function inGroups(text: string): string {
  return text.replaceAll(/.{4}(?=.)/g, '$& ');
}

export function withoutGroups(text: string): string {
  return text.replaceAll(' ', '');
}
