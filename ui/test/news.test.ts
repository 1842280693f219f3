import { expect, test } from 'bun:test'
import { NEWS } from '@balcao/contract'
import { filterUnseenNews } from '../src/news/index.ts'

test.each(['pt', 'en', 'es'])('every news of an account has its words in %s', async language => {
  const { told } = await Bun.file(`${import.meta.dir}/../locales/news/${language}.json`).json()
  expect(Object.keys(told).sort()).toEqual(Object.keys(NEWS).sort())
})

test('what came after somebody looked is unseen, whichever way its instant is written', () => {
  const news = [{ at: '2026-11-22T12:00:00.000Z' }, { at: '2026-11-22T10:00:00.000Z' }]
  expect(filterUnseenNews(news, null)).toEqual(news)
  expect(filterUnseenNews(news, '2026-11-22 11:00:00+00')).toEqual(news.slice(0, 1))
  expect(filterUnseenNews(news, '2026-11-22T13:00:00Z')).toEqual([])
  const late = { at: '2026-11-22T09:00:00.000Z', storedAt: '2026-11-22T13:30:00.000Z' }
  expect(filterUnseenNews([...news, late], '2026-11-22T13:00:00Z')).toEqual([late])
})
