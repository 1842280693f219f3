import { textsOf } from '@balcao/ui/i18n'

/** The text behind `namespace:key`. */
export function textOf(key: string) {
  const [namespace = 'shell', rest = key] = key.split(':')
  return textsOf(namespace)(rest)
}
