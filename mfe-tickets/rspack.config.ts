import { remoteConfig } from '@balcao/ui/build/config'

export default remoteConfig(import.meta.dirname, { name: 'mfe_tickets' })
