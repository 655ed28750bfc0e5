import { useState, type ReactElement } from 'react';
import { answer, api, useWrite, type Schemas } from '../../api';
import { Dialog, Form, PROCESSORS, TextArea } from '../../ui';

type Plan = Schemas['Plan'];
type Product = Plan['products'][number];

interface ProductsDialogProps {
  readonly plan: Plan;
  readonly onClose: () => void;
}

/** Says which products of the processors buy a plan, one a line. */
export function ProductsDialog({ plan, onClose }: ProductsDialogProps): ReactElement {
  const [text, setText] = useState(plan.products.map(written).join('\n'));
  const save = useWrite({
    write: () =>
      answer(
        api.PUT('/api/v1/plans/{id}/products', {
          params: { path: { id: plan.id } },
          body: text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [read(line)])),
        }),
      ),
    changes: [['plans']],
    announcement: () => `Saved the products of ${plan.tier}.`,
  });
  return (
    <Dialog
      title="Products"
      description="A sale of one of these products makes a license of this plan. Replay the notifications of sales that found no plan."
      isOpen
      onClose={onClose}
    >
      <Form
        onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
        problem={save.error}
        submit="Save"
        isBusy={save.isPending}
        onCancel={onClose}
      >
        <TextArea
          label={`Products of ${plan.tier}`}
          value={text}
          onValue={setText}
          spellCheck={false}
          hint={`One a line: the processor (${Object.keys(PROCESSORS).join(', ')}) and the id of its price or product. Add “license” for one license per unit instead of more devices, and the https address of the checkout to which your extension sends its users.`}
        />
      </Form>
    </Dialog>
  );
}

const written = ({ processor, productId, perUnit, checkoutUrl }: Product): string =>
  [processor, productId, perUnit === 'license' ? 'license' : '', checkoutUrl ?? ''].filter(Boolean).join(' ');

/** Reads a line; the service reports its faults. */
function read(line: string): Product {
  const [processor = '', productId = '', ...rest] = line.trim().split(/\s+/);
  const checkoutUrl = rest.find((word) => word.includes('://'));
  return {
    processor: processor as Product['processor'],
    productId,
    perUnit: rest.includes('license') ? 'license' : 'seats',
    ...(checkoutUrl === undefined ? {} : { checkoutUrl }),
  };
}
