const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The end stays: it is what names that begin alike differ by, such as those that end with a time. */
const END_LETTERS = 24;

/** As many letters as there is room for, with what is left out in the middle. */
export function cutMiddle(text: string, room: number): string {
  // Letters are counted only where there might be too many.
  if (text.length <= room) return text;
  const all = Array.from(letters.segment(text), ({ segment }) => segment);
  if (all.length <= room) return text;
  const end = Math.min(END_LETTERS, Math.floor(room / 2));
  return `${all
    .slice(0, room - end - 1)
    .join('')
    .trimEnd()}…${all.slice(-end).join('').trimStart()}`;
}
