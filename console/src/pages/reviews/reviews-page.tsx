import { useState, type ReactElement } from 'react';
import { answer, api, useExtensionChoices, usePages, useRead, useWrite, type Schemas } from '../../api';
import { useSession } from '../../session';
import { Button, Caution, Empty, PageHeader, Select, STORES, Table, useFilters, type Column } from '../../ui';
import { AnswerDialog } from './answer-dialog';
import { ReviewActions, ReviewText, Written } from './review';
import { CHANGES, unreadText, type Review } from './review-words';
import css from './reviews.module.css';

const ANY = 'any';
const STORE_OPTIONS = [
  { value: ANY, label: 'Any store' },
  ...Object.entries(STORES).map(([value, label]) => ({ value, label })),
];
const STAR_OPTIONS = [
  { value: ANY, label: 'Any stars' },
  { value: '1', label: 'One star' },
  { value: '2', label: 'Two stars or fewer' },
  { value: '3', label: 'Three stars or fewer' },
];
const READ_OPTIONS = [
  { value: ANY, label: 'Read and unread' },
  { value: 'true', label: 'Unread' },
];
const ANSWER_OPTIONS = [
  { value: ANY, label: 'With and without' },
  { value: 'false', label: 'Without an answer' },
  { value: 'true', label: 'Answered' },
];

type Filter = 'extension' | 'store' | 'maxStars' | 'unread' | 'answered';
const FILTERS: readonly Filter[] = ['extension', 'store', 'maxStars', 'unread', 'answered'];
type Query = Partial<Record<'extension', string>> &
  Partial<Pick<Review, 'store'>> &
  Partial<Record<'unread' | 'answered', 'true' | 'false'>> & { readonly maxStars?: number };

/** What users wrote at the stores: found, answered and marked as read. */
export function ReviewsPage(): ReactElement {
  const mayWrite = useSession().can('extensions:write');
  const extensions = useExtensionChoices();
  const [search, set] = useFilters();
  const [answered, setAnswered] = useState<Review | null>(null);
  const query = Object.fromEntries(
    FILTERS.flatMap((name) => (search.get(name) === null ? [] : [[name, search.get(name)]])),
  ) as Query;
  const { extension } = query;
  const list = usePages<Review>(['reviews', query], (cursor, signal) =>
    answer(api.GET('/api/v1/reviews', { params: { query: { ...query, cursor } }, signal })),
  );
  const summary = useRead({
    queryKey: ['reviews', 'summary', extension],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/v1/reviews/summary', {
          params: { query: extension === undefined ? {} : { extension } },
          signal,
        }),
      ),
  }).data;
  const markAll = useWrite({
    write: () =>
      answer(api.POST('/api/v1/reviews/read', { body: extension === undefined ? {} : { extensionId: extension } })),
    changes: CHANGES,
    announcement: ({ count }) => (count === 1 ? 'Marked one review as read.' : `Marked ${count} reviews as read.`),
  });
  const choose = (name: Filter) => (value: string) => set(name, value === ANY ? '' : value);
  const filter = (label: string, name: Filter, options: readonly { value: string; label: string }[]) => (
    <Select label={label} value={search.get(name) ?? ANY} onValue={choose(name)} options={options} />
  );
  const nameOf = (id: string): string => extensions.find((one) => one.id === id)?.name ?? '';
  return (
    <>
      <PageHeader
        title="Reviews"
        back={{ href: '/analytics', label: 'Analytics' }}
        actions={
          mayWrite &&
          summary !== undefined &&
          summary.unread > 0 && (
            <Button onClick={() => markAll.mutate()} isBusy={markAll.isPending}>
              Mark all as read
            </Button>
          )
        }
      >
        {summary === undefined ? 'What users wrote at the stores.' : unreadText(summary)}
      </PageHeader>
      <section className={css.section} data-cards aria-label="Reviews">
        <div className={css.filters}>
          {filter('Extension', 'extension', [
            { value: ANY, label: 'Any extension' },
            ...extensions.map(({ id, name }) => ({ value: id, label: name })),
          ])}
          {filter('Store', 'store', STORE_OPTIONS)}
          {filter('Stars', 'maxStars', STAR_OPTIONS)}
          {filter('Read', 'unread', READ_OPTIONS)}
          {filter('Answer', 'answered', ANSWER_OPTIONS)}
        </div>
        {summary !== undefined && <Failures readings={summary.readings} nameOf={nameOf} />}
        <Table
          caption="Reviews"
          columns={columns(mayWrite, nameOf, setAnswered)}
          {...list.table}
          refusal={markAll.error}
          rowKey={({ id }) => id}
          empty={
            Object.keys(query).length > 0 ? (
              <Empty title="No review matches the filter" />
            ) : (
              <Empty title="No reviews yet">
                <p>
                  Pierhead reads what users write at Chrome, Firefox and the App Store, of each target that has its item
                  and its key. Edge tells no reviews.
                </p>
              </Empty>
            )
          }
        />
      </section>
      {answered !== null && <AnswerDialog review={answered} onClose={() => setAnswered(null)} />}
    </>
  );
}

interface FailuresProps {
  readonly readings: Schemas['ReviewSummary']['readings'];
  readonly nameOf: (extensionId: string) => string;
}

/** Why reviews are missing. */
const Failures = ({ readings, nameOf }: FailuresProps): ReactElement => (
  <>
    {readings
      .filter(({ failure }) => failure !== null)
      .map(({ targetId, extensionId, store, failure }) => (
        <Caution key={targetId}>
          The reviews of {nameOf(extensionId)} at {STORES[store]} could not be read. {failure}
        </Caution>
      ))}
  </>
);

const columns = (
  mayWrite: boolean,
  nameOf: (extensionId: string) => string,
  onAnswer: (review: Review) => void,
): readonly Column<Review>[] => [
  { title: 'Review', cell: (review) => <ReviewText review={review} /> },
  { title: 'Written', cell: (review) => <Written review={review} extension={nameOf(review.extensionId)} /> },
  {
    title: 'Actions',
    isEnd: true,
    cell: (review) => <ReviewActions review={review} mayWrite={mayWrite} onAnswer={onAnswer} />,
  },
];
