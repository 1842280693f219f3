// Where sign-ins are kept: for the person alone, whole or not at all.
import { afterAll, expect, test } from 'bun:test'
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { addProfile, changeProfiles, getProfilesPath, readProfiles, removeProfile } from '../src/kit/profiles.ts'
import { createMachine } from './terminal.ts'

const { env, leave } = await createMachine()
afterAll(leave)
const LOJA = { url: 'https://loja.example', token: 'segredo', user: 'Marina' }
const getMode = async (path: string) => (await stat(path)).mode & 0o777

test('nobody is signed in where there is no file', () => {
  expect(readProfiles(env)).toEqual({ current: null, profiles: {} })
})

test('decisions-2 §21: the token is kept with mode 0600, in a folder for the person alone, and nothing lies beside it', async () => {
  await changeProfiles(env, known => addProfile(known, 'loja', LOJA))
  expect(readProfiles(env)).toEqual({ current: 'loja', profiles: { loja: LOJA } })
  const path = getProfilesPath(env)
  expect([await getMode(path), await getMode(dirname(path))]).toEqual([0o600, 0o700])
  expect(await readdir(dirname(path))).toEqual(['profiles.json'])
})

test('who signs in by two terminals at once is kept by both, also where one had died meanwhile', async () => {
  const path = getProfilesPath(env)
  await writeFile(`${path}.lock`, '')
  const names = ['norte', 'sul', 'leste']
  await Promise.all(names.map(name => changeProfiles(env, known => addProfile(known, name, LOJA, true))))
  expect(Object.keys(readProfiles(env).profiles).sort()).toEqual(['leste', 'loja', 'norte', 'sul'])
  expect(await readdir(dirname(path))).toEqual(['profiles.json'])
}, 20_000)

test('a file that others could read is closed, and that is told', async () => {
  const path = getProfilesPath(env)
  await chmod(path, 0o644)
  const messages: string[] = []
  readProfiles(env, where => messages.push(where))
  readProfiles(env, where => messages.push(where))
  expect([messages, await getMode(path)]).toEqual([[path], 0o600])
})

test('who leaves the current one is at another one, or nowhere', () => {
  const aside = addProfile({ current: 'a', profiles: { a: LOJA } }, 'b', LOJA, true)
  expect(aside).toEqual({ current: 'a', profiles: { a: LOJA, b: LOJA } })
  expect(addProfile({ current: null, profiles: {} }, 'b', LOJA, true).current).toBe('b')
  const both = addProfile(addProfile({ current: null, profiles: {} }, 'a', LOJA), 'b', LOJA)
  expect(removeProfile(both, 'b')).toEqual({ current: 'a', profiles: { a: LOJA } })
  expect(removeProfile(removeProfile(both, 'b'), 'a')).toEqual({ current: null, profiles: {} })
})

test('a file that is none of ours is told, and left alone', async () => {
  const path = getProfilesPath(env)
  await writeFile(path, '{"current":', { mode: 0o600 })
  expect(() => readProfiles(env)).toThrow('profilesUnreadable')
  expect(await Bun.file(path).text()).toBe('{"current":')
  await rm(path)
})
