const seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 15, 30];
const minutes = [1, 2, 5, 10, 15, 30].map((count) => count * 60);
const hours = [1, 2, 3, 6, 12, 24, 48, 96, 240].map((count) => count * 3600);
const steps = [...seconds, ...minutes, ...hours].map((length) => length * 1000);

/** Round times from `fromMs` to `toMs`, at most so many. */
export function ticks(fromMs: number, toMs: number, most: number): readonly number[] {
  const length = Math.max(1, toMs - fromMs);
  const step = steps.find((one) => length / one <= most - 1) ?? length;
  const first = Math.ceil(fromMs / step);
  const count = Math.floor(toMs / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step);
}

/** `1h30m`, `2m`, `1.5s`: a time without its zeros. */
export function tickText(ms: number): string {
  const whole = Math.floor(ms / 1000);
  const rest = (ms % 1000) / 1000;
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [Number(((whole % 60) + rest).toFixed(3)), 's'],
  ] as const;
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count}${unit}`)
      .join('') || '0s'
  );
}
