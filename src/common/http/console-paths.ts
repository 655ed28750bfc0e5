/** Paths of the console that mails and the overview lead to, below the service's URL. Pure. */
export const CONSOLE = {
  extension: (id: string): string => `/extensions/${id}`,
  target: (extensionId: string, id: string): string => `/extensions/${extensionId}/targets/${id}`,
  /** The target, with the confirmation of its release open. */
  release: (extensionId: string, id: string): string => `${CONSOLE.target(extensionId, id)}?do=release`,
  /** @param part of the version's page that says why */
  version: (extensionId: string, version: string, part: 'rejected' | 'findings'): string =>
    `/extensions/${extensionId}/versions/${encodeURIComponent(version)}#${part}`,
  approval: (id: string): string => `/approvals/${id}`,
  rotation: (credentialId: string): string => `/settings/credentials?rotate=${credentialId}`,
  license: (id: string): string => `/licenses/${id}`,
  licenses: '/licenses',
  unmappedSales: '/plans?status=unmapped',
  notifications: '/notifications',
  tokens: '/settings/tokens',
  reviews: '/reviews',
} as const;
