// What a page plays: nobody hears it in a test, so it is counted.
import type { Page } from 'playwright-core'

/** In the page, before it loads: remembers the pitch of every tone that is played. */
export function countTones() {
  const pitches: number[] = []
  Object.assign(window, { pitches })
  const set = AudioParam.prototype.setValueAtTime
  const make = AudioContext.prototype.createOscillator
  AudioContext.prototype.createOscillator = function () {
    const tone = make.call(this)
    tone.frequency.setValueAtTime = function (value: number, at: number) {
      pitches.push(value)
      return set.call(this, value, at)
    }
    return tone
  }
}

export async function readTones(pages: readonly Page[]): Promise<number[]> {
  const each = await Promise.all(
    pages.map(page => page.evaluate(() => (window as unknown as { pitches: number[] }).pitches)),
  )
  return each.flat()
}

/** A sound may be played again: the tabs remember together when the last one was. */
export async function allowNextSound([page]: readonly Page[]): Promise<void> {
  await page?.evaluate(() => {
    const key = 'balcao.claimed.sound'
    const claimed: object = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...claimed, at: 0 }))
  })
}
