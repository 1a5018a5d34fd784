/** Marks that turn or hide what stands around them, and those that nobody can type. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name as it can be read and typed: what would not be seen is written out, and white space is one space. */
export function visibleName(name: string): string {
  return collapse(name).replace(
    HIDDEN,
    (mark) => `[U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** Whether somebody typed the name that they were shown. */
export function isSameName(typed: string, shown: string): boolean {
  return collapse(typed).normalize() === shown.normalize();
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
