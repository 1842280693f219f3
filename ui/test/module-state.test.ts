// Whatever lives longer than a component either is made for a person, and ends with them, or stands in one of these lists with what it is.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { Glob } from 'bun'

const root = path.join(import.meta.dirname, '../..')

/** Of the page, whoever sits before it: `file: names`. */
const OF_THE_PAGE: Record<string, string[]> = {
  // The scope itself, and the one state that knows which part of it belongs to a person.
  'ui/src/session/scope.ts': ['ending', 'resets', 'goodbyes'],
  'ui/src/session/store.ts': ['session'],
  // By person: what was written when the server ended the session waits for nobody else.
  'ui/src/kit/screens/unsaved-forms.ts': ['leftBy'],
  // Callbacks the shell gives once.
  'ui/src/api/client.ts': ['signedOut'],
  'ui/src/api/refresh.ts': ['heard', 'isLeft'],
  // The line: the shell stops it with the session, and it forgets.
  'ui/src/live/index.ts': ['live'],
  'ui/src/live/activity.ts': ['activeAt', 'wasIdle'],
  // What components put in and take out while they are mounted.
  'ui/src/actions/register.ts': ['stacks', 'current', 'listeners'],
  'ui/src/actions/rest.ts': ['resting'],
  'ui/src/actions/hold.ts': ['holding'],
  'ui/src/kit/parts/overlay.ts': ['open', 'lastPress', 'layerPress', 'owed'],
  'mfe-tickets/src/chats/lane.ts': ['sentInChats'],
  'mfe-tickets/src/composer/coming.ts': ['opening'],
  'mfe-tickets/src/composer/at-hand.ts': ['atHand'],
  'shell/src/notifications/bells.ts': ['counting'],
  // Code that is here.
  'shell/src/remotes/load.ts': ['apps', 'coming'],
  // Language and time zone of page and company.
  'ui/src/i18n/core.ts': ['again', 'arriving', 'plain', 'lookups'],
  'ui/src/i18n/dates.ts': ['timezone', 'parts', 'listeners', 'known'],
  // What is known before anybody signs in.
  'shell/src/session/system.ts': ['system', 'listeners', 'again'],
  // When settings that did not come are asked for again.
  'shell/src/session/enter.ts': ['again'],
  // A sign-out that is still to be told.
  'shell/src/session/leaving.ts': ['again', 'isUnmarked'],
  // Numbers, clocks, sounds and places on the screen.
  'ui/src/kit/parts/toast.ts': ['lastId'],
  'ui/src/kit/parts/load-failure.ts': ['failedStyle'],
  'shell/src/notifications/sounds.ts': ['context'],
  'shell/src/notifications/tab-badge.ts': ['plainIcon'],
  'mfe-tickets/src/use-minute.ts': ['now', 'stop', 'listeners'],
  'mfe-tickets/src/search/use-drag.ts': ['lastPlace'],
}

/** Keys of this browser, not of a person: how the device looks and sounds, and who is signed in. */
const OF_THE_DEVICE = [
  'balcao.token',
  'balcao.leaving',
  'balcao.renewal',
  'balcao.person',
  'balcao.theme',
  'balcao.language',
  'balcao.activeAt',
  'balcao.letters',
  'balcao.muted',
  'balcao.pushed',
  'balcao.notify',
  'balcao.claimed',
  'balcao.notes',
  'balcao.list-width',
]

test('state at module level is made for the session, or is known to be the page’s', async () => {
  const found = new Map<string, string[]>()
  for (const [file, text] of await sources()) {
    const names = [...text.matchAll(/^(?:export )?(?:let|var|const) (\w+).*$/gm)]
      .filter(([line]) => isMutable(line))
      .map(([, name = '']) => name)
    if (names.length > 0) found.set(file, names)
  }
  expect(Object.fromEntries(found)).toEqual(OF_THE_PAGE)
})

test('what this browser remembers is kept under the person’s own key, or is known to be the device’s', async () => {
  for (const [file, text] of await sources()) {
    if (!/(local|session)Storage\.(get|set)Item|\bremember\(|storage: localStorage/.test(text)) continue
    const keys = [...text.matchAll(/'(balcao\.[\w.-]+)'/g)].map(([, key = '']) => key)
    const isOwn = /toPersonalKey\(|\$\{[\w.]*userId\}/.test(text)
    expect({ file, foreign: isOwn ? [] : keys.filter(key => !OF_THE_DEVICE.includes(key)) }).toEqual({
      file,
      foreign: [],
    })
  }
})

/** What is of no use unless it is stored, and so fails with the storage. */
const STORED_OR_FAILS = ['shell/src/notifications/device.ts', 'ui/src/browser/index.ts', 'ui/src/session/token.ts']

test('a full storage stops nothing that is only remembered there', async () => {
  const writing = (await sources()).filter(([, text]) => text.includes('localStorage.setItem('))
  expect(writing.map(([file]) => file)).toEqual(STORED_OR_FAILS)
})

test('no part of the page suspends: React would show it a third of a second late, and once more when it is there already', async () => {
  const suspending = (await sources()).filter(([, text]) =>
    /import \{[^}]*\b(lazy|Suspense)\b[^}]*\} from 'react'/.test(text),
  )
  expect(suspending.map(([file]) => file)).toEqual([])
})

/** A declaration that can be another one later: a variable, a collection that is not read-only, a proxy, something with a life of its own. */
function isMutable(line: string): boolean {
  if (/^(export )?(let|var) /.test(line)) return true
  if (/: (readonly |Readonly|ReadonlySet|ReadonlyMap)/.test(line)) return false
  return /= (new (?!Set\(\[|Intl\b|RegExp\()\w|proxy[<(]|create(?!Context)[A-Z]\w*\(|\[\]|\{\}$)/.test(line)
}

async function sources(): Promise<[string, string][]> {
  const files = await Array.fromAsync(new Glob('{ui,shell,mfe-*}/src/**/*.{ts,tsx}').scan(root))
  const own = files.map(file => file.replaceAll('\\', '/')).filter(file => !/\.test\.tsx?$|service-worker/.test(file))
  return Promise.all(
    own.sort().map(async file => [file, await Bun.file(path.join(root, file)).text()] as [string, string]),
  )
}
