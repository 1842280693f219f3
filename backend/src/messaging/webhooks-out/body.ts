// What is sent of an event, and what of it is shown.
import { pickWebhookData, WEBHOOK_FIELDS, type WebhookData } from '@balcao/contract'

/** An event as it is stored. */
export interface StoredEvent {
  readonly type: string
  readonly data: WebhookData
  readonly happenedAt: string
}

/** The body of an event: the same with every repeat, as long as the same fields are chosen. */
export function buildBody({ type, data, happenedAt }: StoredEvent, fields: readonly string[]): string {
  return JSON.stringify({ type, timestamp: new Date(happenedAt).toISOString(), data: pickWebhookData(data, fields) })
}

/** A text without what is known of people: what was chosen, and whatever looks like a number or an e-mail. */
export function redact(text: string, data: WebhookData): string {
  const values = listValues(data)
    .map(value => JSON.stringify(value).slice(1, -1))
    .filter(value => value.length > 1)
    .sort((one, other) => other.length - one.length)
  const without = values.reduce((rest, value) => rest.replaceAll(value, HIDDEN), text)
  return without.replace(/[^\s"<>@]{1,64}@[^\s"<>@]{1,255}/g, HIDDEN).replace(/\d{8,}/g, HIDDEN)
}

/** What of people an event carries, whether it was chosen or not. */
export function listValues(data: WebhookData): string[] {
  return WEBHOOK_FIELDS.flatMap(field => data[field] ?? []).filter(value => typeof value === 'string')
}

/** What stands in place of it. */
export const HIDDEN = '…'
