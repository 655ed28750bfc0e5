// Written by npm run docs:openapi from GET /stores and openapi.json.

export const STORES = [
  {
    "id": "chrome",
    "name": "Chrome",
    "title": "Chrome Web Store",
    "aliases": [
      "cws"
    ],
    "channels": [],
    "capabilities": {
      "requiresArtifact": true,
      "signedPackages": true,
      "appPackages": false,
      "percentRollout": true,
      "rollback": true
    }
  },
  {
    "id": "firefox",
    "name": "Firefox",
    "title": "Firefox Add-ons",
    "aliases": [
      "amo"
    ],
    "channels": [
      "listed",
      "unlisted"
    ],
    "capabilities": {
      "requiresArtifact": true,
      "signedPackages": false,
      "appPackages": false,
      "percentRollout": false,
      "rollback": true
    }
  },
  {
    "id": "edge",
    "name": "Edge",
    "title": "Microsoft Edge Add-ons",
    "aliases": [
      "edge add-ons",
      "microsoft edge"
    ],
    "channels": [],
    "capabilities": {
      "requiresArtifact": true,
      "signedPackages": false,
      "appPackages": false,
      "percentRollout": false,
      "rollback": false
    }
  },
  {
    "id": "safari",
    "name": "Safari",
    "title": "App Store",
    "aliases": [],
    "channels": [],
    "capabilities": {
      "requiresArtifact": false,
      "signedPackages": false,
      "appPackages": true,
      "percentRollout": true,
      "rollback": false
    }
  }
] as const;

export const SCOPES = [
  "extensions:read",
  "extensions:write",
  "artifacts:write",
  "licenses:read",
  "licenses:write",
  "analytics:read",
  "*",
  "credentials:write",
  "members:read",
  "audit:read"
] as const;

export const LICENSE_STATUSES = [
  "active",
  "suspended",
  "expired",
  "revoked"
] as const;

export const NOTIFICATION_KINDS = [
  "live",
  "rejected",
  "action_required",
  "credential_failing",
  "credential_expiring",
  "access_token_expiring",
  "approval_requested",
  "approval_given",
  "approval_rejected",
  "approval_turned_off",
  "taken_down",
  "unexpected_version",
  "low_rating",
  "stuck_in_review",
  "stalled",
  "payment_on_ended_license",
  "license_moving",
  "order_without_license",
  "foreign_license_key",
  "license.issued",
  "license.activated",
  "license.seat_refused",
  "license.seat_freed",
  "license.suspended",
  "license.reinstated",
  "license.revoked",
  "license.expiring",
  "license.expired",
  "license.renewed",
  "license.trial_started",
  "license.trial_ended",
  "license.code_resent"
] as const;

export const DIMENSIONS = [
  "version",
  "browser",
  "browserVersion",
  "os",
  "country",
  "language",
  "store",
  "licensed"
] as const;

export const GRANULARITIES = [
  "day",
  "week",
  "month"
] as const;
