import { addTexts, useTexts } from '@balcao/ui/i18n'
import { Tabs } from '@balcao/ui/parts'
import { useSearchParams } from '@balcao/ui/router'
import tokensPt from '../../locales/api-tokens/pt.json'
import pt from '../../locales/integrations/pt.json'
import { MoveInPage } from '../move-in/MoveInPage.tsx'
import { TokensPage } from './TokensPage.tsx'
import { WebhooksPage } from './WebhooksPage.tsx'

addTexts('integrations', {
  pt,
  en: () => import('../../locales/integrations/en.json'),
  es: () => import('../../locales/integrations/es.json'),
})
addTexts('api-tokens', {
  pt: tokensPt,
  en: () => import('../../locales/api-tokens/en.json'),
  es: () => import('../../locales/api-tokens/es.json'),
})

/** What the address names; the first one stands without a name. */
const TABS = ['tokens', 'move-in'] as const

/** How other programs and the desk know of each other: what these are told, the tokens with which they call, and what another desk leaves behind. */
export default function IntegrationsPage() {
  const t = useTexts('integrations')
  const [params, setParams] = useSearchParams()
  const chosen = TABS.find(tab => params.has(tab)) ?? 'webhooks'
  const tabs = (
    <Tabs
      label={t('title')}
      tabs={[
        { id: 'webhooks', label: t('tab.webhooks') },
        { id: 'tokens', label: t('tab.tokens') },
        { id: 'move-in', label: t('tab.moveIn') },
      ]}
      chosen={chosen}
      onChoose={tab => setParams(tab === 'webhooks' ? '' : tab, { replace: true })}
      className="mb-4"
    />
  )
  if (chosen === 'move-in') return <MoveInPage above={tabs} />
  return chosen === 'tokens' ? <TokensPage above={tabs} /> : <WebhooksPage above={tabs} />
}
