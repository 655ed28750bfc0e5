import type { ReactElement } from 'react';
import { answer, api, together, useProcessors, useRead } from '../../api';
import { useSession, type Permission } from '../../session';
import { ButtonLink, ProblemNote } from '../../ui';
import css from './start.module.css';
import { Step, Turn } from './step';

interface SellingStep {
  readonly isDone: boolean;
  readonly needs: Permission;
  readonly done: string;
  readonly open: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

/** What there is of selling an extension. */
function useSelling(extensionId: string) {
  const plans = useRead({
    queryKey: ['plans', 'start', extensionId],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/plans', { params: { query: { extension: extensionId, limit: 100 } }, signal })),
  });
  const licenses = useRead({
    queryKey: ['licenses', 'start', extensionId],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/v1/licenses', { params: { query: { extension: extensionId, limit: 1 } }, signal })),
  });
  const processors = useProcessors();
  return {
    tiers: plans.data?.items.map(({ tier }) => tier) ?? [],
    sold: plans.data?.items.find(({ products }) => products.length > 0),
    connected: processors.data?.processors.filter(({ credentials }) => credentials.length > 0) ?? [],
    hasLicense: (licenses.data?.items.length ?? 0) > 0,
    isLoading: [plans, licenses, processors].some((one) => one.isLoading),
    ...together(plans, licenses, processors),
  };
}

const inWords = new Intl.ListFormat('en');

function stepsOf({ tiers, sold, connected, hasLicense }: ReturnType<typeof useSelling>): readonly SellingStep[] {
  return [
    {
      isDone: tiers.length > 0,
      needs: 'extensions:write',
      done: `Sold as ${inWords.format(tiers)}`,
      open: 'Create a plan',
      text: 'A plan is a tier, such as pro, with a number of devices. The extension compares its name.',
      href: '/plans',
      action: 'Create a plan',
    },
    {
      isDone: connected.length > 0,
      needs: 'credentials:write',
      done: `Hears of sales at ${inWords.format(connected.map(({ title }) => title))}`,
      open: 'Connect a payment processor',
      text: 'Enter the webhook’s URL at the processor, and its secret here. Each notification is checked by it.',
      href: '/plans',
      action: 'Connect a processor',
    },
    {
      isDone: sold !== undefined,
      needs: 'extensions:write',
      done: `${sold?.products[0]?.productId} buys ${sold?.tier}`,
      open: 'Say what buys the plan',
      text: 'List the price, product or payment link at the processor under “Edit products” of the plan.',
      href: '/plans',
      action: 'Edit products',
    },
    {
      isDone: hasLicense,
      needs: 'licenses:write',
      done: 'Has its first license',
      open: 'Try it with a license',
      text: 'Buy it once in the processor’s test mode, or issue a license by hand and enter its code in the extension.',
      href: '/licenses',
      action: 'Issue a license',
    },
  ];
}

/** The way to the first license, for those who sell their extension. */
export function Selling({ extensionId }: { readonly extensionId: string | undefined }): ReactElement | null {
  const { can } = useSession();
  return extensionId === undefined || !can('licenses:read') ? null : <SellingSteps extensionId={extensionId} />;
}

function SellingSteps({ extensionId }: { readonly extensionId: string }): ReactElement | null {
  const selling = useSelling(extensionId);
  if (selling.isLoading) return null;
  if (selling.problem !== null) return <ProblemNote problem={selling.problem} onRetry={selling.retry} />;
  const steps = stepsOf(selling);
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className={css.selling} aria-labelledby="selling">
      <h2 id="selling">Sell it</h2>
      <p className={css.about}>Only if you want to: an extension that is not sold needs none of this.</p>
      <ol className={css.steps}>
        {steps.map((step, index) => (
          <Step
            key={step.open}
            number={index + 1}
            title={step.isDone ? step.done : step.open}
            isDone={step.isDone}
            isBelow
          >
            {step === next && (
              <Turn needs={step.needs}>
                <p>{step.text}</p>
                <div>
                  <ButtonLink href={step.href}>{step.action}</ButtonLink>
                </div>
              </Turn>
            )}
          </Step>
        ))}
      </ol>
    </section>
  );
}
