const ITS_TARGETS = 'It reads all targets of an extension, of which MAX_TARGETS_PER_EXTENSION allows 20.';
const ITS_STEPS = `${ITS_TARGETS} It also reads the extensions of the tenant, for one that requires approval of the same item.`;
const UP_TO_MOST = 'It counts up to 10,000 rows (MOST_COUNTED).';

/** Reading routes whose work grows with the rows, and why it may. */
export const GROWING: Readonly<Record<string, string>> = {
  AnalyticsController_overview: 'It answers all extensions of the tenant.',
  BuyingController_checkout: 'It chooses among all products of one plan.',
  ComparisonController_compare: `It finds two versions among all of an extension. ${ITS_TARGETS}`,
  FindingsController_list: ITS_TARGETS,
  IconsController_show: 'It looks through all versions of an extension that has no icon.',
  InboxController_summarize: 'It reads all credentials of the tenant, each of which a person has added.',
  LicenseDeskController_export: 'It answers all licenses.',
  LicenseDevicesController_get: 'It answers all devices of one license, and counts its members.',
  LicensesController_count: UP_TO_MOST,
  ListingsController_report: ITS_TARGETS,
  NotificationsController_listAttempts: 'It sorts all attempts of one delivery, which is given up in the end.',
  OrdersController_count: UP_TO_MOST,
  OrdersController_get: 'It looks through all notifications of one order.',
  OverviewController_show:
    'It answers all targets of a page of extensions, sorts all extensions by attention, and counts up to 1,000 needs of a kind.',
  OverviewController_showWeek: 'It adds up all days, orders and licenses of two weeks.',
  PlansController_get: 'It answers all products of one plan.',
  PlansController_list: 'It sorts all plans of an extension, of which MAX_PLANS_PER_EXTENSION allows 50.',
  ReconcileController_matrix: 'For each rejected release it finds the live version among all of the extension.',
  ReconcileController_nextSteps: ITS_STEPS,
  ReconcileController_plan: ITS_STEPS,
  ReviewsController_list:
    'A filter by store reads all reviews of the extension, since a review has its store from its target.',
  ReviewsController_summarize: 'It counts all unread reviews.',
  SalesController_summarize: 'It adds up all orders of the tenant.',
  TargetsController_list: ITS_TARGETS,
  TrialsController_summarize: 'It counts all trials that run, and those of 30 days.',
};
