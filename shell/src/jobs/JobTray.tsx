export { JobTray as default } from '@balcao/ui/screens'
