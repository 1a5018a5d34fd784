import { qrCode } from '../../lib/qr-code/qr-code.ts';

/** The quiet zone that readers need around the code. */
const MARGIN = 4;

/** Drawn here, so that the secret travels nowhere. Dark on light in every theme: many readers know no other. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const code = qrCode(text);
  if (!code) return null;
  const size = code.length + 2 * MARGIN;
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(code)} fill="#000" />
    </svg>
  );
}

function pathOf(code: readonly boolean[][]): string {
  const runs = code.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '#' : '.'))
        .join('')
        .matchAll(/#+/g),
    ].map(({ 0: run, index }) => `M${index + MARGIN} ${y + MARGIN}h${run.length}v1h-${run.length}z`),
  );
  return runs.join('');
}
