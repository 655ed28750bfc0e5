// Written by npm run docs:openapi from GET /webhooks/processors.

export const PROCESSORS = [
  {
    "id": "stripe",
    "title": "Stripe",
    "purchaseIds": [
      {
        "kind": "subscription",
        "pattern": "^sub_"
      },
      {
        "kind": "session",
        "pattern": "^cs_"
      },
      {
        "kind": "payment",
        "pattern": "^pi_"
      },
      {
        "kind": "invoice",
        "pattern": "^in_"
      }
    ]
  },
  {
    "id": "paddle",
    "title": "Paddle",
    "purchaseIds": [
      {
        "kind": "subscription",
        "pattern": "^sub_"
      },
      {
        "kind": "transaction",
        "pattern": "^txn_"
      }
    ]
  },
  {
    "id": "lemonsqueezy",
    "title": "Lemon Squeezy",
    "purchaseIds": [
      {
        "kind": "order",
        "pattern": "^\\d+$"
      },
      {
        "kind": "subscription",
        "pattern": "^\\d+$"
      }
    ]
  },
  {
    "id": "polar",
    "title": "Polar",
    "purchaseIds": [
      {
        "kind": "order",
        "pattern": "^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$"
      },
      {
        "kind": "subscription",
        "pattern": "^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$"
      }
    ]
  },
  {
    "id": "creem",
    "title": "Creem",
    "purchaseIds": [
      {
        "kind": "order",
        "pattern": "^ord_"
      },
      {
        "kind": "subscription",
        "pattern": "^sub_"
      },
      {
        "kind": "transaction",
        "pattern": "^tran_"
      },
      {
        "kind": "session",
        "pattern": "^ch_"
      }
    ]
  },
  {
    "id": "dodo",
    "title": "Dodo Payments",
    "purchaseIds": [
      {
        "kind": "payment",
        "pattern": "^pay_"
      },
      {
        "kind": "subscription",
        "pattern": "^sub_"
      },
      {
        "kind": "session",
        "pattern": "^cks_"
      }
    ]
  }
] as const;
