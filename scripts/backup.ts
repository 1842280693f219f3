// A backup is written, verified or restored: npm run backup -- create | verify | restore
import '@balcao/backend/backup/main'
