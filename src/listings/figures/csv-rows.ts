import type { Cell } from '../../common/http/index.js';
import type { StoreReport } from './store-report.dto.js';

/** A report as rows of one figure each, which a spreadsheet can pivot: `date,store,channel,figure,value,number`. */
export const storeReportRows = ({ to, stores }: StoreReport): readonly (readonly Cell[])[] => [
  ['date', 'store', 'channel', 'figure', 'value', 'number'],
  ...stores.flatMap(({ store, channel, days, versions, countries, languages }) => {
    const row = (date: string, figure: string, value: string | null, number: number): Cell[] => [
      date,
      store,
      channel,
      figure,
      value,
      number,
    ];
    return [
      ...days.flatMap(({ date, ...figures }) =>
        Object.entries(figures).flatMap(([figure, number]) =>
          number === null ? [] : [row(date, figure, null, number)],
        ),
      ),
      ...versions.points.flatMap(({ date, users }) =>
        versions.versions.map((version, at) => row(date, 'version', version, users[at] ?? 0)),
      ),
      ...countries.map(({ value, users }) => row(to, 'country', value, users)),
      ...languages.map(({ value, users }) => row(to, 'language', value, users)),
    ];
  }),
];
