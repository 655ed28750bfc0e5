import { useState, type ReactElement } from 'react';
import { answer, api, useWrite } from '../../api';
import { Button, Dialog, Form, TextArea } from '../../ui';
import { CHANGES, type Review } from './review-words';
import css from './reviews.module.css';

interface AnswerDialogProps {
  readonly review: Review;
  readonly onClose: () => void;
}

/** Answers a review, changes the answer, or takes it back. */
export function AnswerDialog({
  review: { id, answer: before, text: said, title },
  onClose,
}: AnswerDialogProps): ReactElement {
  const [text, setText] = useState(before?.text ?? '');
  const params = { path: { id } };
  const send = useWrite({
    write: () => answer(api.POST('/api/v1/reviews/{id}/answer', { params, body: { text } })),
    changes: CHANGES,
    announcement: () => 'The App Store has the answer, and shows it soon.',
  });
  const withdraw = useWrite({
    write: () => answer(api.DELETE('/api/v1/reviews/{id}/answer', { params })),
    changes: CHANGES,
    announcement: () => 'Took the answer back.',
  });
  return (
    <Dialog
      title={before === null ? 'Answer a review' : 'Change the answer'}
      description="Everybody sees it at the App Store. A review has one answer."
      isOpen
      onClose={onClose}
    >
      <blockquote className={css.quote}>
        <bdi dir="auto">{said ?? title}</bdi>
      </blockquote>
      <Form
        onSubmit={() => send.mutate(undefined, { onSuccess: onClose })}
        problem={send.error ?? withdraw.error}
        submit="Answer publicly"
        isBusy={send.isPending}
        onCancel={onClose}
      >
        <TextArea label="Answer" value={text} onValue={setText} rows={6} required fault={send.error?.fault('text')} />
        {before !== null && (
          <Button
            kind="danger"
            isBusy={withdraw.isPending}
            onClick={() => withdraw.mutate(undefined, { onSuccess: onClose })}
          >
            Take the answer back
          </Button>
        )}
      </Form>
    </Dialog>
  );
}
