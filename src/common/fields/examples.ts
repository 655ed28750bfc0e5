/** Values that several fields of the API's description show as their example. */
export const EXAMPLE = {
  id: '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4',
  message: 'Version 1.4.0 is in review at the store.',
  because: 'Version 1.4.0 is pinned, and the store does not have it.',
  licenseCode: 'B1BJQ-7J154-Q7AE4-00RKD-30JCN',
  secret: 'C2FVsBQIhrscChlQIMV-b5sSYspob7oDq1lNnE3xk0w',
  sha256: 'a27d6fb1c0e94b5d8f3a7e21906c5d4b8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b',
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMWExZTdjMiJ9.ZXhhbXBsZQ',
} as const;
