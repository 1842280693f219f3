// A send tried on a phone, and tried again because no answer came: it is the same try, and not the send itself.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { act } from 'react'
import { typeText, waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import { TestSend } from '../src/sends/TestSend.tsx'

const ignore = () => undefined
const clientIds: unknown[] = []

/** Takes the form, and its answer is lost. */
class LostRequest extends XMLHttpRequest {
  override open() {}
  override setRequestHeader() {}
  override send(body?: unknown) {
    if (body instanceof FormData) clientIds.push(...body.getAll('clientId'))
    setTimeout(() => this.onerror?.(new ProgressEvent('error')))
  }
}

const whole = XMLHttpRequest
beforeEach(() => {
  globalThis.XMLHttpRequest = LostRequest
})
afterEach(() => {
  globalThis.XMLHttpRequest = whole
})
const show = preparePage(() => Response.json([]), { remote: 'mfe_automation' })

test('the same number again is the same try, under a name that is not the send’s', async () => {
  await show(<TestSend body={fillIn} number="" onNumber={ignore} onClose={ignore} />)
  typeText(document.querySelector('input'), '55 31 99999-0000')
  await send()
  await send()
  expect(clientIds).toEqual([expect.stringMatching(/.{30}/), clientIds[0]])
})

async function send() {
  const before = clientIds.length
  act(() => document.querySelector('form')?.requestSubmit())
  await waitUntil(() => clientIds.length > before, 'it arrives')
  await waitUntil(() => document.querySelector('[type=submit][aria-busy]') === null, 'it is free again')
}

function fillIn() {
  const form = new FormData()
  form.append('mensagem', 'Chegou')
  form.append('clientId', 'envio-1')
  return form
}
