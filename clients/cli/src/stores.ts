export const STORES = ['chrome', 'firefox', 'edge', 'safari'] as const;
export type StoreId = (typeof STORES)[number];
