/** A sum of money, in the smallest unit of its currency. */
export interface Money {
  readonly value: number;
  readonly currency: string;
}

/** A sum for people: `€9.00`, `¥900`. Which part of the currency is its smallest unit says the currency itself. */
export function moneyText({ value, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(value / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
