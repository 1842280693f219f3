import { useTexts } from '@balcao/ui/i18n'
import { Banner } from '@balcao/ui/parts'
import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'

const PATIENCE_MS = 3000

/** Stands where the page will, as long as the server does not say who is here: nothing at first, then what is going on. */
export function Waiting() {
  const t = useTexts('shell')
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    isLate && (
      <Banner kind="waiting" icon={WifiOff}>
        <strong>{t('line.connecting')}</strong> {t('remote.noMenuText')}
      </Banner>
    )
  )
}
