#include <adolc/valuetape/globaltapevarscl.h>

#include <adolc/adolcerror.h>

#include <utility>

using ADOLCError::ErrorType;
using ADOLCError::fail;

GlobalTapeVarsCL::GlobalTapeVarsCL()
    : paramStoreMgrPtr(std::make_unique<StoreManagerLocintBlock>(pStore, maxparam, numparam)),
      storeManagerPtr(std::make_unique<StoreManagerLocintBlock>(store, storeSize, numLives)) {}

GlobalTapeVarsCL::~GlobalTapeVarsCL() = default;

GlobalTapeVarsCL::GlobalTapeVarsCL(GlobalTapeVarsCL &&other) noexcept { take(other); }

GlobalTapeVarsCL &GlobalTapeVarsCL::operator=(GlobalTapeVarsCL &&other) noexcept {
  if (this != &other)
    take(other);
  return *this;
}

void GlobalTapeVarsCL::take(GlobalTapeVarsCL &other) noexcept {
  store = std::exchange(other.store, nullptr);
  storeSize = std::exchange(other.storeSize, 0);
  numLives = std::exchange(other.numLives, 0);
  maxLoc = other.maxLoc;
  operationBufferSize = other.operationBufferSize;
  locationBufferSize = other.locationBufferSize;
  valueBufferSize = other.valueBufferSize;
  taylorBufferSize = other.taylorBufferSize;
  inParallelRegion = other.inParallelRegion;
  newTape = other.newTape;
  branchSwitchWarning = other.branchSwitchWarning;
  nominmaxFlag = other.nominmaxFlag;
  numparam = std::exchange(other.numparam, 0);
  maxparam = std::exchange(other.maxparam, 0);
  pStore = std::exchange(other.pStore, nullptr);
  initialStoreSize = other.initialStoreSize;
  paramStoreMgrPtr = std::move(other.paramStoreMgrPtr);
  storeManagerPtr = std::move(other.storeManagerPtr);
  if (paramStoreMgrPtr != nullptr)
    paramStoreMgrPtr->rebind(pStore, maxparam, numparam);
  if (storeManagerPtr != nullptr)
    storeManagerPtr->rebind(store, storeSize, numLives);
}

void GlobalTapeVarsCL::reallocStore(unsigned char type) {
  constexpr int last = StoreManager::ADOLC_LOCATION_SINGLETONS;
  if (type > last)
    fail(ErrorType::ARGUMENT_OUT_OF_RANGE, CURRENT_LOCATION,
         {.info1 = -1, .info3 = type, .info4 = last});
  delete[] std::exchange(store, nullptr);
  storeSize = 0;
  numLives = 0;
  if (type == StoreManager::ADOLC_LOCATION_BLOCKS)
    storeManagerPtr = std::make_unique<StoreManagerLocintBlock>(store, storeSize, numLives);
  else
    storeManagerPtr = std::make_unique<StoreManagerLocint>(store, storeSize, numLives);
}

void GlobalTapeVarsCL::checkInitialStoreSize() {
  if (storeManagerPtr != nullptr && initialStoreSize > StoreManager::get_initialSize())
    storeManagerPtr->grow(initialStoreSize);
}
