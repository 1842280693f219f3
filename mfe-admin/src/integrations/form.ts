// The form of a webhook. A filter that was not touched is not sent: what it names may be gone, and that is no wish to be told of everything.
import type { RequestBody, Webhook, WebhookEventType, WebhookField } from '@balcao/contract'

export interface WebhookFields {
  readonly name: string
  readonly address: string
  readonly events: readonly WebhookEventType[]
  /** Empty: all. */
  readonly connectionIds: readonly number[]
  readonly queueIds: readonly number[]
  readonly fields: readonly WebhookField[]
  readonly active: boolean
}

export function toFields(webhook: Webhook | null): WebhookFields {
  if (!webhook) return { name: '', address: '', events: [], connectionIds: [], queueIds: [], fields: [], active: true }
  const { name, address, events, connectionIds, queueIds, fields, active } = webhook
  return { name, address, events, connectionIds: connectionIds ?? [], queueIds: queueIds ?? [], fields, active }
}

/** What is sent; of a change what differs from where it began. */
export function toBody(fields: WebhookFields, base: WebhookFields | null) {
  const { name, address, events, active } = fields
  return {
    ...{ name, address, events: [...events], fields: [...fields.fields] },
    ...toFilter('connectionIds', fields, base),
    ...toFilter('queueIds', fields, base),
    ...(base && base.active !== active && { active }),
  } satisfies RequestBody<'PUT /integrations/:id'>
}

function toFilter(key: 'connectionIds' | 'queueIds', fields: WebhookFields, base: WebhookFields | null) {
  const ids = fields[key]
  if (base && ids.join() === base[key].join()) return {}
  return { [key]: ids.length === 0 ? null : [...ids] }
}

/** Whether everything a filter named is gone: then nothing passes it. */
export function isFilterEmpty({ connectionIds, queueIds }: Webhook): boolean {
  return connectionIds?.length === 0 || queueIds?.length === 0
}
