export interface Point {
  at: number;
  value: number;
}

/** The straight line that is nearest to the points, and how far they are from it on the average (root mean square). */
export interface Line {
  /** Per unit of `at`. */
  slope: number;
  spread: number;
}

export function fitLine(points: readonly Point[]): Line {
  const [at, value] = [mean(points.map((point) => point.at)), mean(points.map((point) => point.value))];
  const slope = sum(points, (point) => (point.at - at) * (point.value - value)) / sum(points, (p) => (p.at - at) ** 2);
  const away = (point: Point) => point.value - value - slope * (point.at - at);
  return { slope, spread: Math.sqrt(mean(points.map((point) => away(point) ** 2))) };
}

const sum = (points: readonly Point[], of: (point: Point) => number): number =>
  points.reduce((total, point) => total + of(point), 0);

const mean = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0) / values.length;
