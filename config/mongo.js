// Run by the health check of MongoDB in docker-compose.yml: ends with 0 where there is a primary.
// The first time it makes the replica set, and the user of the service, who may do little.
const { MONGO_INITDB_ROOT_USERNAME: name, MONGO_INITDB_ROOT_PASSWORD: password } = process.env;
const credentials = [name, password].map(encodeURIComponent).join(":");
const admin = connect(`mongodb://${credentials}@127.0.0.1:27017/admin?directConnection=true`);
const calendar = admin.getSiblingDB("calendar");

try {
  admin.runCommand({ replSetGetStatus: 1 });
} catch (error) {
  if (error.codeName !== "NotYetInitialized") throw error;
  const members = [{ _id: 0, host: "mongo:27017" }];
  admin.runCommand({ replSetInitiate: { _id: "calendar", members } });
}
if (!admin.hello().isWritablePrimary) quit(1);
if (!calendar.getUser("service")) {
  calendar.createUser({
    user: "service",
    pwd: process.env.SERVICE_PASSWORD,
    roles: [{ role: "readWrite", db: "calendar" }],
  });
}
quit(0);
