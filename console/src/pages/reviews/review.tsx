import type { ReactElement } from 'react';
import { answer, api, useWrite } from '../../api';
import { Button, Detail, OutLink, StarIcon, STORES, Time, Words } from '../../ui';
import { answerText, CHANGES, starsText, type Review } from './review-words';
import css from './reviews.module.css';

/** The most stars that are shown as a reason to look. */
const LOW = 2;

function Stars({ stars }: { readonly stars: number }): ReactElement {
  return (
    <span className={stars <= LOW ? css.low : css.stars}>
      {[1, 2, 3, 4, 5].map((place) => (
        <StarIcon key={place} isFilled={place <= stars} />
      ))}
      <span className={css.count}>{starsText(stars)}</span>
    </span>
  );
}

/** What somebody wrote, and the answer to it. */
export const ReviewText = ({ review }: { readonly review: Review }): ReactElement => (
  <div className={css.review}>
    <Stars stars={review.stars} />
    {review.title !== null && (
      <strong>
        <bdi dir="auto">{review.title}</bdi>
      </strong>
    )}
    {review.text !== null && <Words text={review.text} />}
    {review.answer !== null && (
      <div className={css.answer}>
        <Detail>{answerText(review.answer)}</Detail>
        <Words text={review.answer.text} />
      </div>
    )}
  </div>
);

/** Who wrote it where, and when. */
export const Written = ({
  review,
  extension,
}: {
  readonly review: Review;
  readonly extension: string;
}): ReactElement => (
  <div className={css.written}>
    {review.readAt === null && <strong className={css.unread}>Unread</strong>}
    <Time at={review.writtenAt} />
    <Detail>
      {review.author !== null && (
        <>
          <bdi dir="auto">{review.author}</bdi>,{' '}
        </>
      )}
      {[STORES[review.store], review.version, review.territory].filter((part) => part !== null).join(' ')}
    </Detail>
    <Detail>{extension}</Detail>
    {review.editedAt !== null && (
      <Detail>
        Edited <Time at={review.editedAt} />
      </Detail>
    )}
  </div>
);

interface ReviewActionsProps {
  readonly review: Review;
  readonly mayWrite: boolean;
  readonly onAnswer: (review: Review) => void;
}

/** Marks it as read, and answers it here or leads to where that is possible. */
export function ReviewActions({ review, mayWrite, onAnswer }: ReviewActionsProps): ReactElement {
  const { id, readAt, isAnswerable, store, answerUrl } = review;
  const params = { path: { id } };
  const mark = useWrite({
    write: () =>
      readAt === null
        ? answer(api.POST('/api/v1/reviews/{id}/read', { params }))
        : answer(api.POST('/api/v1/reviews/{id}/unread', { params })),
    changes: CHANGES,
    announcement: (marked) => (marked.readAt === null ? 'Marked as unread.' : 'Marked as read.'),
  });
  return (
    <div className={css.actions}>
      {isAnswerable ? (
        mayWrite && (
          <Button onClick={() => onAnswer(review)}>{review.answer === null ? 'Answer…' : 'Change the answer…'}</Button>
        )
      ) : (
        <OutLink href={answerUrl}>Answer at {STORES[store]}</OutLink>
      )}
      {mayWrite && (
        <Button onClick={() => mark.mutate()} isBusy={mark.isPending}>
          {readAt === null ? 'Mark as read' : 'Mark as unread'}
        </Button>
      )}
    </div>
  );
}
