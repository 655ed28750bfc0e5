/** Finds the tenant of an extension. The folder that keeps extensions provides it. */
export abstract class TenantExtensions {
  /** Finds the tenant that has an extension; null when none has it. */
  abstract tenantOf(extensionId: string): Promise<string | null>;
  /** Whether all these extensions belong to the tenant. @param extensionIds different ids */
  abstract hasAll(tenantId: string, extensionIds: readonly string[]): Promise<boolean>;
}
