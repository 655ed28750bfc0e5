import type { Schemas } from '../../api';
import { Button, Detail, type Column } from '../../ui';
import css from './settings.module.css';
import { extensionsInWords, inWords } from './words';

type Access = Pick<Schemas['AccessToken'], 'name' | 'scopes' | 'extensionIds'>;

/** Permissions of a token or a run of CI. */
export const may = <Row extends Access>(): Column<Row> => ({
  title: 'May',
  cell: ({ scopes, extensionIds }) => (
    <>
      {inWords(scopes)}
      <Detail>{extensionsInWords(extensionIds)}</Detail>
    </>
  ),
});

/** Its name and its id. */
export const named = <Row extends Access>(title: string, which: (row: Row) => string): Column<Row> => ({
  title,
  cell: (row) => (
    <>
      <div className={css.broken}>{row.name}</div>
      <Detail>{which(row)}</Detail>
    </>
  ),
});

/** A button that ends it; no column for those who may not. */
export const ending = <Row extends Access>(
  word: string,
  isAllowed: boolean,
  onChosen: (row: Row) => void,
): readonly Column<Row>[] =>
  isAllowed
    ? [
        {
          title: word,
          cell: (row) => (
            <Button onClick={() => onChosen(row)} aria-label={`${word} ${row.name}`}>
              {word}
            </Button>
          ),
        },
      ]
    : [];
