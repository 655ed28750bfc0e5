/** The processor's id of the purchase in the source of a license; null when no processor sold it. The further licenses of a purchase are numbered. Pure. */
export const orderIdIn = (source: string): string | null =>
  source === 'manual' || source.startsWith('import:') ? null : source.replace(/^.*:/, '').replace(/\/\d+$/, '');
