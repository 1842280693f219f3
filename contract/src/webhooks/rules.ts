// What the fields of an address that is told must be, for page and server.
import type { FieldRule } from '../kit/forms.ts'
import { makeNameRule } from '../kit/forms.ts'
import { LIMITS } from '../kit/limits.ts'
import { WEBHOOK_EVENTS, WEBHOOK_FIELDS, type WebhookEventType, type WebhookField } from './webhook.ts'

export const webhookRules = {
  name: makeNameRule(LIMITS.webhookName),
  address: checkAddress,
  events: checkEvents,
  fields: pickFields,
}

/** `https://` and a host, or `http://` for hosts that the operator named; the server looks at where it leads with every call. */
function checkAddress(value: unknown): ReturnType<FieldRule<string>> {
  const text = String(value ?? '').trim()
  const url = URL.canParse(text) ? new URL(text) : null
  const isOne =
    url !== null && text.length <= LIMITS.webhookAddress && /^https?:$/.test(url.protocol) && url.username === ''
  return { value: text, fault: text === '' ? 'schema.fieldRequired' : isOne ? null : 'webhook.address' }
}

function checkEvents(value: unknown): ReturnType<FieldRule<WebhookEventType[]>> {
  const events = WEBHOOK_EVENTS.filter(name => Array.isArray(value) && value.includes(name))
  return { value: events, fault: events.length === 0 ? 'webhook.events' : null }
}

function pickFields(value: unknown): ReturnType<FieldRule<WebhookField[]>> {
  return { value: WEBHOOK_FIELDS.filter(name => Array.isArray(value) && value.includes(name)), fault: null }
}
