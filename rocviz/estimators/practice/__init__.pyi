from .referral import ReferralClassifier as ReferralClassifier
from .updated import UpdatedClassifier as UpdatedClassifier
