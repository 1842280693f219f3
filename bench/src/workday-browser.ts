// The stopwatch in the page: from the key to what it was pressed for, as the person sees it.
import type { Locator, Page } from 'playwright-core'

declare global {
  interface Window {
    /** Resolves with the milliseconds from the next key until a text stands in the conversation and was painted. */
    painted: (text: string) => Promise<number>
  }
}

/** Puts the stopwatch into the page; once after it is loaded. */
export function installStopwatch(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.painted = text =>
      new Promise((done, fail) => {
        const patience = performance.now() + 20_000
        let start = performance.now()
        const pressed = (event: KeyboardEvent) => {
          start = event.timeStamp
        }
        window.addEventListener('keydown', pressed, { capture: true, once: true })
        const check = () => {
          if (!document.querySelector('.c-messages li:last-of-type')?.textContent?.includes(text)) {
            if (performance.now() > patience) fail(new Error(`Not painted within 20 s: ${text}`))
            else requestAnimationFrame(check)
            return
          }
          window.removeEventListener('keydown', pressed, { capture: true })
          // A message of a channel is handled after the frame was handed over.
          const channel = new MessageChannel()
          channel.port1.onmessage = () => done(performance.now() - start)
          channel.port2.postMessage(null)
        }
        requestAnimationFrame(check)
      })
  })
}

/** The text every last message of a filled day carries. */
export function getLastText(ticketId: number): string {
  return `fim ${ticketId}.`
}

/** Opens a conversation, by a key or (null) by its address, and tells how long its last message took to be painted. */
export async function measureOpen(page: Page, key: 'j' | 'k' | null, ticketId: number): Promise<number> {
  const painted = page.evaluate(text => window.painted(text), getLastText(ticketId))
  if (key) await page.keyboard.press(key)
  else
    await page.evaluate(id => {
      history.pushState(null, '', `/tickets/${id}`)
      dispatchEvent(new PopStateEvent('popstate'))
    }, ticketId)
  return await painted
}

/** Types into a field and tells of each key how long it was until the field held it and everything drawn at once was drawn. */
export async function measureKeyTimes(page: Page, field: Locator, text: string): Promise<number[]> {
  await field.click()
  await field.evaluate(element => {
    const times: number[] = []
    let pressed = 0
    element.addEventListener('keydown', event => {
      pressed = event.timeStamp
    })
    // Listeners of the document come after those of the page's framework; what they drew at once is in the page by the next microtask.
    document.addEventListener('input', () => queueMicrotask(() => times.push(performance.now() - pressed)))
    Object.assign(element, { times })
  })
  await page.keyboard.type(text, { delay: 45 })
  return field.evaluate(element => ('times' in element && Array.isArray(element.times) ? element.times.splice(0) : []))
}

/** Bytes the page's scripts hold after a garbage collection. */
export async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  for (let n = 0; n < 3; n++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
