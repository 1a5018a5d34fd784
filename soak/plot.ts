import { pointsOf, type Sample } from './sample.ts';

interface Panel {
  title: string;
  unit: string;
  /** Which figures are in it, and what each is called there. */
  labelOf: (name: string) => string | undefined;
}

const after = (start: string) => (name: string) => (name.startsWith(start) ? name.slice(start.length) : undefined);

const PROCESSES: Record<string, string> = {
  'largest process of store': 'the largest',
  'usual process of store': 'the usual',
};

const panels: readonly Panel[] = [
  { title: 'Memory', unit: 'MB', labelOf: after('memory of ') },
  { title: 'Memory of its own', unit: 'MB', labelOf: after('own memory of ') },
  { title: 'Memory that is held when all else is collected', unit: 'MB', labelOf: after('kept memory of ') },
  { title: 'Memory of one process of the store', unit: 'MB', labelOf: (name) => PROCESSES[name] },
  { title: 'Open files', unit: '', labelOf: after('files of ') },
  { title: 'Disk', unit: 'MB', labelOf: after('disk of ') },
  { title: 'Processor time, by the minute', unit: 's', labelOf: after('processor time of ') },
  { title: 'Wait of half of the visits', unit: 'ms', labelOf: after('wait of ') },
  { title: 'Wait of 95 of 100 visits', unit: 'ms', labelOf: after('long wait of ') },
  { title: "The machine's load, whatever else ran on it", unit: '', labelOf: after('load') },
];

const WIDTH = 880;
/** To the left of an axis there is room for six digits, and for no unit: that stands behind the title. */
const [LEFT, RIGHT, TOP, HEIGHT, GAP] = [56, 150, 34, 130, 36];
const COLOURS = ['#7c4fc4', '#2a8f6d', '#c2571a', '#2f6fb3', '#a83267', '#6b6b1f', '#555555', '#008b9a'];
/** A series that is never more than this share of the largest would be a line along the bottom. */
const TOO_SMALL = 0.01;

/** All figures over the time, a panel for each kind. */
export function plotSamples(samples: readonly Sample[]): string {
  const height = panels.length * (TOP + HEIGHT + GAP);
  const drawn = panels.map((panel, at) => drawPanel(panel, samples, at * (TOP + HEIGHT + GAP)));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ` +
    `font-family="system-ui, sans-serif" font-size="12">` +
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>\n${drawn.join('\n')}\n</svg>\n`
  );
}

function drawPanel({ title, unit, labelOf }: Panel, samples: readonly Sample[], y: number): string {
  const all = Object.keys(samples[0]!.figures).flatMap((name) => {
    const label = labelOf(name);
    if (label === undefined) return [];
    const points = pointsOf(name, samples);
    return [{ label, points, most: Math.max(...points.map(({ value }) => value)) }];
  });
  const most = Math.max(1e-9, ...all.map((series) => series.most));
  const shown = all.filter((series) => series.most >= most * TOO_SMALL);
  const last = samples.at(-1)!.minute || 1;
  const [base, width] = [y + TOP + HEIGHT, WIDTH - LEFT - RIGHT];
  const place = (minute: number, value: number) =>
    `${(LEFT + (minute / last) * width).toFixed(1)},${(base - (value / most) * HEIGHT).toFixed(1)}`;
  const lines = shown.map(({ label, points }, at) => {
    const colour = COLOURS[at % COLOURS.length];
    const places = points.map((point) => place(point.at, point.value)).join(' ');
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${places}"/>` +
      `<text x="${WIDTH - RIGHT + 10}" y="${y + TOP + 12 + at * 16}" fill="${colour}">${label}</text>`
    );
  });
  return [
    `<text x="${LEFT}" y="${y + 22}" font-weight="600">${title}${unit && ` (${unit})`}</text>`,
    `<path d="M${LEFT},${y + TOP}V${base}H${LEFT + width}" fill="none" stroke="#999"/>`,
    `<text x="${LEFT - 6}" y="${y + TOP + 5}" text-anchor="end">${round(most)}</text>`,
    `<text x="${LEFT - 6}" y="${base}" text-anchor="end">0</text>`,
    `<text x="${LEFT}" y="${base + 16}">0</text>`,
    `<text x="${LEFT + width}" y="${base + 16}" text-anchor="end">${round(last)} minutes</text>`,
    ...lines,
  ].join('\n');
}

const round = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
