import type { Judged } from './judge.ts';
import { type Mistake, type Mutation, mistakes } from './mutation.ts';

type Place = 'first' | 'among' | 'no';

/** An object of which the server and `check` say different things. */
export interface Wrong {
  readonly what: 'missed' | 'false alarm';
  readonly judged: Judged;
}

interface Row {
  /** Mutants that change objects. */
  judged: number;
  /** Of these, those of which the server refuses an object. */
  refused: number;
  /** Refused ones all of whose refused objects have an error. */
  found: number;
  /** Refused ones whose line is the first place of an error. */
  first: number;
  /** … or another place of it. */
  among: number;
  falseAlarms: number;
  unrendered: number;
  unrenderedFirst: number;
}

/** What came out, for each kind of mistake. */
export class Tally {
  readonly #rows = new Map<Mistake, Row>(
    mistakes.map((mistake) => [
      mistake,
      { judged: 0, refused: 0, found: 0, first: 0, among: 0, falseAlarms: 0, unrendered: 0, unrenderedFirst: 0 },
    ]),
  );

  get judged(): number {
    return this.#sum('judged') + this.#sum('unrendered');
  }

  get falseAlarms(): number {
    return this.#sum('falseAlarms');
  }

  /** Of the mutants that the server refuses. */
  share(what: 'found' | 'atLine'): number {
    const count = what === 'found' ? this.#sum('found') : this.#sum('first') + this.#sum('among');
    return this.#sum('refused') === 0 ? 1 : count / this.#sum('refused');
  }

  unrendered({ mistake }: Mutation, place: Place): void {
    const row = this.#row(mistake);
    row.unrendered += 1;
    if (place !== 'no') row.unrenderedFirst += 1;
  }

  judge({ mistake }: Mutation, place: Place, objects: readonly Judged[]): readonly Wrong[] {
    const row = this.#row(mistake);
    row.judged += 1;
    const missed = objects.filter(({ refused, errors }) => refused !== undefined && errors.length === 0);
    const alarms = objects.filter(({ refused, errors }) => refused === undefined && errors.length > 0);
    if (objects.some(({ refused }) => refused !== undefined)) {
      row.refused += 1;
      if (missed.length === 0) row.found += 1;
      if (place === 'first') row.first += 1;
      if (place === 'among') row.among += 1;
    }
    if (alarms.length > 0) row.falseAlarms += 1;
    return [
      ...missed.map((judged) => ({ what: 'missed', judged }) as const),
      ...alarms.map((judged) => ({ what: 'false alarm', judged }) as const),
    ];
  }

  text(): string {
    const columns = [
      'judged',
      'refused',
      'found',
      'first',
      'among',
      'falseAlarms',
      'unrendered',
      'unrenderedFirst',
    ] as const;
    const rows = [...this.#rows].map(([mistake, row]) => [mistake, ...columns.map((column) => row[column])]);
    const sums = ['all', ...columns.map((column) => this.#sum(column))];
    return [['mistake', ...columns], ...rows, sums].map((cells) => cells.join('\t')).join('\n');
  }

  #row(mistake: Mistake): Row {
    return this.#rows.get(mistake) as Row;
  }

  #sum(column: keyof Row): number {
    return [...this.#rows.values()].reduce((sum, row) => sum + row[column], 0);
  }
}
