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
  const values = WEBHOOK_FIELDS.flatMap(field => data[field] ?? [])
    .map(value => JSON.stringify(value).slice(1, -1))
    .filter(value => value.length > 1)
    .sort((one, other) => other.length - one.length)
  const without = values.reduce((rest, value) => rest.replaceAll(value, '…'), text)
  return without.replace(/[^\s"<>@]+@[^\s"<>@]+/g, '…').replace(/\d{8,}/g, '…')
}
