// How wide the list is: 300 to 440, remembered.
import { remember } from '@balcao/ui/browser'
import { useState } from 'react'

export const LEAST = 300
export const MOST = 440
const STORED = 'balcao.list-width'

export interface ListWidth {
  readonly value: number
  readonly set: (width: number) => void
}

export function useListWidth(): ListWidth {
  const [value, setValue] = useState(() => clampWidth(Number(localStorage.getItem(STORED)) || 352))
  return {
    value,
    set(width) {
      setValue(clampWidth(width))
      remember(STORED, String(clampWidth(width)))
    },
  }
}

function clampWidth(width: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.round(width)))
}
