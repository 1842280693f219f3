import { getTexts } from '@balcao/ui/i18n'

/** The text behind `namespace:key`. */
export function getText(key: string) {
  const [namespace = 'shell', rest = key] = key.split(':')
  return getTexts(namespace)(rest)
}
