/** The processor's id of the purchase in the source of a license; null when no processor sold it. The further licenses of a purchase are numbered. Pure. */
export const orderIdIn = (source: string): string | null =>
  /^(manual$|import:|batch:)/.test(source) ? null : source.replace(/^.*:/, '').replace(/\/\d+$/, '');
